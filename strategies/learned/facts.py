"""The facts of a seat's situation, the inputs of networks: their names, order and meaning (`situation` fills them).

Every number is of the order of one (a count divided by a usual one, a chance, 0 or 1). Leaders, focus types, agendas and
resources enter by their codes.
"""

from collections.abc import Sequence

from ...simulator import names

NAMES: list[str] = []
MEANINGS: dict[str, str] = {}


def _fact(name: str, meaning: str) -> int:
    """Declare a fact and return its column."""
    NAMES.append(name)
    MEANINGS[name] = meaning
    return len(NAMES) - 1


def _facts(family: str, of: Sequence[object], meaning: str) -> int:
    """Declare a fact for each of several things and return the column of the first."""
    for thing in of:
        _fact(f"{family}_{str(thing).lower().replace(' ', '_')}", meaning)
    return len(NAMES) - len(of)


# --- the course of the game
ROUND = _fact("round", "rounds played, in twentieths")
NEXT_IN = _facts("next_in", range(names.MAX_PLAYERS), "1: so many other seats move before this one")
ORDER = _fact("order", "place in the turn order, 0 = first player")
ICONS = names.EVENT_ICONS[:3]  # of the base game's dial
EVENT_NOW = _facts("event_next", ICONS, "1: the next section of the event dial has the icon")
EVENT_THEN = _facts("event_then", ICONS, "1: the one after has it")
LEADERS_KNOWN = 18  # by a fact of their own: those of both boxes; leaders of a user's have none
LEADER = _facts("leader", range(LEADERS_KNOWN), "1: the seat's leader has this code")
# --- victory cards
CLAIMED = _fact("claimed", "victory cards claimed, in fifths")
LEFT = _fact("cards_left", "victory cards still to claim, in fifths")
LAST_CARD = _fact("last_card", "1: one card is missing")
LAST_TWO = _fact("last_two", "1: two cards are missing")
AGENDAS_KNOWN = len(names.AGENDAS)  # by facts of their own; own agendas count in what is said of all cards together
OPEN = _facts("open", names.AGENDAS, "1: the agenda is on a card in play that the seat has not claimed")
LACK = _facts("lack", names.AGENDAS, "share of the agenda's target that is missing")
LAST_STEP = _facts("last_step", names.AGENDAS, "1: one piece is missing")
EASE = _facts(
    "ease", names.AGENDAS, "what stands nearest to the agenda: sites, room, production, odds … of its kind (`ease_of`)"
)
LACK_SUM = _fact("lack_sum", "share missing of the nearer agenda, added up over the cards not claimed")
LACK_MOST = _fact("lack_most", "the same of the card that is farthest away")
TURNS_NEXT = _fact("turns_next", "turns its nearest card still takes, in tens (`prospects.turns_of`)")
TURNS_MOST = _fact("turns_most", "turns the card still takes that is farthest away, in tens")
TURNS_ALL = _fact("turns_all", "turns all its cards still take, in twenties")
SOON = _facts("soon", names.AGENDAS, "chance to meet the agenda in its next turn (`prospects.chance_soon`)")
SOON_BEST = _fact("soon_best", "best chance to claim a victory card in its next turn")
FINISH = _fact("finish", "chance to claim its last card in its next turn")
# --- land
CITIES = _fact("cities", "cities, in fifths")
CITIES_UNUSED = _fact("cities_unused", "cities not on the map, in fifths")
MATURE = _fact("mature", "mature cities, in fifths")
MISSING_LEAST = _fact("missing_least", "control tokens that the most nearly mature city lacks, in sixths")
MISSING_SECOND = _fact("missing_second", "the same of the next one")
SPACES = _fact("spaces", "friendly spaces, in twentieths")
COAST = _fact("coast", "of these next to water or on the edge, in fifteenths")
TOKENS_UNUSED = _fact("tokens_unused", "control tokens not on the map, in tenths")
TOKENS_NOW = _fact("tokens_now", "control tokens that its culture card places next turn, in fifths")
REINFORCED_TOKENS = _fact("reinforced", "reinforced control tokens, in fifths")
ROOM_EASY = _fact("room_easy", "free spaces beside the seat's cities that slot 2 reaches, in tenths")
ROOM_HARD = _fact("room_hard", "those that need a higher slot, in tenths")
ROOM_COAST = _fact("room_coast", "of all these next to water or on the edge, in tenths")
ROOM_PRIZE = _fact("room_prize", "of all these with a resource, in fifths")
ROOM_CONTESTED = _fact("room_contested", "spaces beside the seat's cities that rivals hold, in fifths")
NATURAL = _fact("natural", "natural wonders held, in halves")
NATURAL_NEAR = _fact("natural_near", "steps from its cities to the nearest free natural wonder, in sixths (2: none)")
NATURAL_NEXT = _fact("natural_next", "the same of the second nearest")
SITES = _fact("sites", "sites for more cities near its land, in fifths")
BARBARIANS_BESIDE = _fact("barbarians_beside", "barbarians beside its spaces, in thirds")
BARBARIANS_CITY = _fact("barbarians_city", "barbarians within two steps of its cities, in thirds")
# --- wonders, goods
WONDERS = _facts("wonders", names.FOCUS_TYPES, "world wonders of the type")
WONDERS_ALL = _fact("wonders_all", "world wonders, in fourths")
WONDER_HOMES = _fact("wonder_homes", "cities without one, in fifths")
WONDER_SHORT = _facts(
    "wonder_short", names.FOCUS_TYPES, "production it lacks for the face-up wonder from the best slot, in tenths"
)
WONDER_CAN = _facts("wonder_can", names.FOCUS_TYPES, "1: it can pay the face-up wonder from the slot its industry card is in")
WONDER_LEFT = _facts("wonder_left", names.FOCUS_TYPES, "wonders of the type left, in fourths")
WONDER_NOW = _fact("wonder_now", "of these how many, in thirds")
RESOURCE = _facts("resource", names.RESOURCES, "resource tokens, in halves")
CITY_STATES = _fact("city_states", "conquered city-states, in halves")
STATE_CARDS = _fact("state_cards", "diplomacy cards of city-states held, in fourths")
RIVAL_CARDS = _fact("rival_cards", "diplomacy cards of rivals held, in fourths")
GIVEN_CARDS = _fact("given_cards", "own diplomacy cards that rivals hold, in fourths")
CARAVANS_OUT = _fact("caravans_out", "caravans on the map, in thirds")
CARAVANS_HOME = _fact("caravans_home", "caravans waiting on the card, in thirds")
# --- cards
DIAL = _fact("dial", "space of the technology dial, as share of the last")
TO_LEVEL = _fact("to_level", "spaces of the dial to the next level, in fifths")
NEXT_LEVEL = _fact("next_level", "the level it pays, in fourths")
LEVEL = _facts("level", names.FOCUS_TYPES, "level of its card of the type, I = 1/3")
SLOT = _facts("slot", names.FOCUS_TYPES, "slot number of its card of the type, in fifths")
TRADE = _facts("trade", names.FOCUS_TYPES, "trade tokens on its card of the type, in thirds")
TRADE_ALL = _fact("trade_all", "trade tokens on all its cards, in tenths")
# --- war: exact odds of the next turn, from the slot the military card is in, with all trade tokens of both
STRIKE_CAPITAL = _fact("strike_capital", "best chance to beat a rival capital next turn")
STRIKE_CITY = _fact("strike_city", "best chance to take a rival city")
STRIKE_CITIES = _fact("strike_cities", "those chances added up, in halves")
STRIKE_STATE = _fact("strike_state", "best chance to conquer a city-state")
STRIKE_WONDER = _fact("strike_wonder", "best chance to take a rival's world wonder")
STRIKE_NATURAL = _fact("strike_natural", "best chance to take a rival's natural wonder")
STRIKE_TOKENS = _fact("strike_tokens", "chances to beat rivals' control tokens added up, in fifths")
LATER_CAPITAL = _fact("later_capital", "best chance to beat a capital in reach from the best slot")
LATER_STATE = _fact("later_state", "best chance to conquer a city-state in reach from the best slot")
HOPE_CAPITAL = _fact("hope_capital", "best chance to beat any rival capital from the best slot, less 1/4 a space out of reach")
HOPE_STATE = _fact("hope_state", "the same for the free or rivals' city-states")
HOPE_NEXT_STATE = _fact("hope_next_state", "the same for the second-best of these")
RISK_CAPITAL = _fact("risk_capital", "best chance of any rival to beat the capital next turn")
RISK_CITIES = _fact("risk_cities", "chances of all rivals to take its cities, added up")
RISK_WONDERS = _fact("risk_wonders", "chances of all rivals to take its world wonders, added up")
RISK_NATURAL = _fact("risk_natural", "chances of all rivals to take its natural wonders, added up")
RISK_STATES = _fact("risk_states", "chances of all rivals to take its conquered city-states, added up")
RISK_TOKENS = _fact("risk_tokens", "chances of all rivals to beat its control tokens, added up, in fifths")
# --- the rivals
RIVAL_AHEAD = _fact("rival_ahead", "cards claimed by the best rival less its own, in fifths")
RIVAL_LAST = _fact("rival_last", "rivals that miss one card")
RIVAL_DONE = _fact("rival_done", "rivals that have claimed every card")
RIVAL_LAST_SOON = _fact("rival_last_soon", "rivals that miss one card and move before it")
RIVAL_NEAREST = _fact("rival_nearest", "share that the rival with the fewest cards to claim still lacks of them")
RIVAL_TURNS = _fact("rival_turns", "turns that the quickest rival still needs, in twenties")
RIVAL_FINISH = _fact("rival_finish", "best chance of a rival to claim its last card in its next turn")
RIVAL_FINISH_FIRST = _fact("rival_finish_first", "the same of those who move before it")

N_BASE = len(NAMES)  # what is beyond them is zero in the base game
# --- Terra Incognita: its agendas
BOX_OPEN = _facts("open", names.TI_AGENDAS, "1: the agenda is on a card in play that the seat has not claimed")
BOX_LACK = _facts("lack", names.TI_AGENDAS, "share of the agenda's target that is missing")
BOX_LAST_STEP = _facts("last_step", names.TI_AGENDAS, "1: one piece is missing")
BOX_EVENT_NOW = _facts("event_next", names.EVENT_ICONS[3:], "1: the next section of the event dial has the icon")
BOX_EVENT_THEN = _facts("event_then", names.EVENT_ICONS[3:], "1: the one after has it")
# --- what the box adds to a seat
DISTRICT = _facts("district", names.DISTRICTS, "1: the district is on the map")
GOVERNMENT = _facts("government", names.GOVERNMENTS, "1: the seat has the government")
UNIQUE = _fact("unique", "1: it has taken its leader's unique card")
FORTS = _fact("forts", "forts held, in halves")
FORT_NEAR = _fact("fort_near", "steps of its armies, from where they are or set out, to the nearest fort of others, in sixths")
CITY_TILES = _fact("city_tiles", "tiles with a city of its own, in fifths")
TILES_LEFT = _fact("tiles_left", "tiles left to explore, in sixths")
BEST_ATTACK = _fact("best_attack", "highest total of an attack it has won, in twentieths")
GIVERS = _fact("givers", "players and city-states of whom it holds a diplomacy card, in fourths")
# --- armies: exact odds of the next turn, as above
ARMIES_OUT = _fact("armies_out", "armies on the map, in halves")
ARMIES_HOME = _fact("armies_home", "armies on the card, in halves")
GUARDS = _fact("guards", "own pieces with an own army, in halves")
FOES_NEAR = _fact("foes_near", "rivals' armies within three spaces of its cities, in thirds")
STRIKE_FORT = _fact("strike_fort", "best chance to take a fort next turn")
HOPE_FORT = _fact("hope_fort", "best chance to take any fort from the best slot, less 1/4 a space out of reach")
STRIKE_FIGURES = _fact("strike_figures", "chances to beat rivals' armies and caravans added up, in thirds")
RISK_FORTS = _fact("risk_forts", "chances of all rivals to take its forts, added up")
RISK_FIGURES = _fact("risk_figures", "chances of all rivals to beat its armies and caravans, added up, in thirds")

N_FACTS = len(NAMES)
