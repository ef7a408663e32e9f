"""The game's words and their codes: leaders, wonders, terrain, sources, and all else that tables name; sizes of records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

# --- The game's words and their codes
#
# Leaders, wonders, agendas, terrain, resources and everything else that tables name.

# --- Words that are declared one a line, which gives each its code
#
# The code of a word is its place in its list. Codes stand in logs, tables and manifests: new words go to the end of their list,
# and no word is ever taken out of it.

Thing = TypeVar("Thing")


def enter(table: dict[str, Thing], word: str, declared: Thing) -> int:
    """Enter a word's declaration and return its code."""
    if word in table:
        raise ValueError(f"'{word}' is declared twice")
    table[word] = declared
    return len(table) - 1


class Words(dict[str, str]):
    """Words in the order of their codes, each with its text in sentences."""

    def add(self, word: str, text: str | None = None) -> int:
        """Declare a word and return its code."""
        return enter(self, word, word if text is None else text)


# --- Codes of the game's own words
#
# The position in a tuple is the code. Rules data (YAML) and the tables for users have the words, the engine the codes.

TERRAINS = ("grassland", "hills", "forest", "desert", "mountain", "water", "natural_wonder", "fort")
N_TERRAINS = len(TERRAINS)
GRASSLAND, HILLS, FOREST, DESERT, MOUNTAIN, WATER, NATURAL_WONDER, FORT = range(8)

RESOURCES = ("marble", "mercury", "oil", "diamond")
N_RESOURCES = len(RESOURCES)

FOCUS_TYPES = ("culture", "science", "economy", "industry", "military", "growth")
CULTURE, SCIENCE, ECONOMY, INDUSTRY, MILITARY, GROWTH = range(6)
N_TYPES = len(FOCUS_TYPES)
N_LEVELS = 4
# A standard focus card's code is type * N_LEVELS + level - 1, that of a leader's unique card N_CARDS + the leader's code; the
# type and level of any card are in RULES (`card_type`, `card_level`).
N_CARDS = N_TYPES * N_LEVELS

ERAS = ("ancient", "medieval", "modern")
N_ERAS = len(ERAS)

# The boxes a game is played with: the base game, or with the expansion.
BOXES = ("base", "terra-incognita")
BASE_BOX, TI_BOX = range(2)
MOST_PLAYERS = dict(zip(BOXES, (4, 5), strict=True))

# Districts (T4), each with the code of the focus type that its effect is about.
DISTRICTS = ("Theater Square", "Campus", "Commercial Hub", "Industrial Zone", "Encampment")
THEATER_SQUARE, CAMPUS, COMMERCIAL_HUB, INDUSTRIAL_ZONE, ENCAMPMENT = range(5)
N_DISTRICTS = len(DISTRICTS)
# Governments (T8), each with the code of the focus type of its card.
GOVERNMENTS = ("Republic", "Democracy", "Oligarchy", "Communism", "Autocracy", "Monarchy")

# What stands on a space for a player. A token is a control token.
PIECES = ("none", "token", "reinforced_token", "city", "capital")
NO_PIECE, TOKEN, REINFORCED, CITY, CAPITAL = range(5)

# Leaders, wonders, city-states and diplomacy cards have fixed codes; what they do is in the rules data.
LEADERS = ("America", "Aztec", "Egypt", "France", "Japan", "Rome", "Scythia", "Sumeria")
AMERICA, AZTEC, EGYPT, FRANCE, JAPAN, ROME, SCYTHIA, SUMERIA = range(8)

# What the expansion adds, with the codes after the base game's.
TI_LEADERS = ("China", "England", "Georgia", "Inca", "Indonesia", "Netherlands", "Nubia", "Ottoman", "Poland", "Zulu")

# How a player chooses among several leaders dealt.
LEADER_CHOICES = ("random", "ranking")
CHOICE_RANDOM, CHOICE_RANKING = range(2)
LEADER_SOURCES = ("dealt", "all_left")  # what a player chooses from
FROM_DEALT, FROM_ALL_LEFT = range(2)
PICK_ORDERS = ("turn_order", "reverse_turn_order")
IN_TURN_ORDER, IN_REVERSE = range(2)

WONDERS = (
    "Stonehenge", "Hanging Gardens", "Forbidden City", "Chichen Itza", "Sydney Opera House", "Eiffel Tower",
    "Colossus", "Great Lighthouse", "Machu Picchu", "Great Zimbabwe", "Estadio do Maracana", "Big Ben",
    "Petra", "Terracotta Army", "Alhambra", "Venetian Arsenal", "Ruhr Valley", "Pentagon",
    "Oracle", "Pyramids", "Porcelain Tower", "Potala Palace", "Oxford University", "Kremlin",
)  # fmt: skip
(
    STONEHENGE, HANGING_GARDENS, FORBIDDEN_CITY, CHICHEN_ITZA, SYDNEY_OPERA_HOUSE, EIFFEL_TOWER,
    COLOSSUS, GREAT_LIGHTHOUSE, MACHU_PICCHU, GREAT_ZIMBABWE, MARACANA, BIG_BEN,
    PETRA, TERRACOTTA_ARMY, ALHAMBRA, VENETIAN_ARSENAL, RUHR_VALLEY, PENTAGON,
    ORACLE, PYRAMIDS, PORCELAIN_TOWER, POTALA_PALACE, OXFORD_UNIVERSITY, KREMLIN,
) = range(24)  # fmt: skip

TI_WONDERS = (
    "Colosseum", "Taj Mahal", "Cristo Redentor", "Apadana", "Kilwa Kisiwani", "Orszaghaz", "Jebel Barkal", "Huey Teocalli",
    "Statue of Liberty", "Great Library", "University of Sankore", "Amundsen-Scott Research Station",
)  # fmt: skip

CITY_STATES = ("Carthage", "Kumasi", "Brussels", "Seoul", "Geneva", "Mohenjo Daro", "Buenos Aires", "Kabul")
CARTHAGE, KUMASI, BRUSSELS, SEOUL, GENEVA, MOHENJO_DARO, BUENOS_AIRES, KABUL = range(8)

TI_CITY_STATES = ("Auckland", "Akkad", "Antananarivo", "Palenque")

DIPLOMACY_CARDS = ("Joint War", "Defensive Pact", "Embassy", "Open Borders")
JOINT_WAR, DEFENSIVE_PACT, EMBASSY, OPEN_BORDERS = range(4)

TI_DIPLOMACY_CARDS = ("Non-Aggression Pact",)

NATURAL_WONDERS = (
    "Cliffs of Dover", "Torres del Paine", "Crater Lake", "Mt. Everest",
    "Galapagos Islands", "Grand Mesa", "Mt. Kilimanjaro", "Pantanal",
)  # fmt: skip

TI_NATURAL_WONDERS = ("Mato Tipila", "The Dead Sea", "Ha Long Bay", "Gobustan")

AGENDAS = (
    "Civilized", "Money Grubber", "Warmonger", "Paranoid", "Explorer",
    "Aesthetic", "Populous", "Preservationist", "Technophile", "Scholarly",
)  # fmt: skip

TI_AGENDAS = (
    "Defensive", "Devastating", "Diplomatic", "Hoarder", "Expansionist", "Prolific", "Industrious", "Progressive",
    "Provincial", "Diversified", "Fortified", "Expeditionary",
)  # fmt: skip

# --- what an agenda counts (`condition.metric` in victory_cards.yaml)


@dataclass(frozen=True)
class Metric:
    """What an agenda counts."""

    word: str
    text: str  # after a number, in a sentence; {kind}: what it counts by
    printed: int | None  # first box with an agenda that counts it; None: only house rules do
    by: str  # the key that a condition needs besides: type, level or terrain
    ti: bool  # only for Terra Incognita
    point: str  # its key in `scores.points`; "": no points are given for it, as it counts by type, level or terrain


METRIC: dict[str, Metric] = {}


def _metric(word: str, text: str, printed: int | None = None, *, by: str = "", ti: bool = False, point: str = "") -> int:
    """Declare what an agenda counts and return its code."""
    return enter(METRIC, word, Metric(word, text, printed, by, ti, "" if by else point or word))


METRIC_NONE = _metric("none", "", BASE_BOX)
METRIC_CITIES = _metric("cities_on_map_with_capital", "cities on the map, the capital among them", BASE_BOX, point="cities")
METRIC_WONDERS_OF_TYPE = _metric("wonders_of_type", "world wonders of type {kind}", BASE_BOX, by="type")
METRIC_CAPITALS_DEFEATED = _metric("rival_capitals_defeated", "rival capitals defeated", BASE_BOX)
METRIC_CITY_STATES = _metric("conquered_city_states_held", "conquered city-states held", BASE_BOX)
METRIC_COAST = _metric(
    "controlled_spaces_next_to_water_or_map_edge", "controlled spaces next to water or at the map's edge", BASE_BOX
)
METRIC_MATURE_CITIES = _metric("mature_cities", "mature cities", BASE_BOX)
METRIC_NATURAL_WONDERS = _metric("natural_wonders_held", "natural wonders held", BASE_BOX)
METRIC_DIAL = _metric("tech_dial_space_reached", "as the space the tech dial has reached", BASE_BOX)
METRIC_CARDS_OF_LEVEL = _metric("focus_cards_of_level_in_row", "focus cards of level {kind} in the row", TI_BOX, by="level")
METRIC_REINFORCED = _metric("reinforced_control_tokens", "reinforced control tokens on the map", TI_BOX)
METRIC_BEST_ATTACK = _metric("combat_total_of_a_won_attack", "as the total of a won attack", TI_BOX, ti=True)
METRIC_GIVERS = _metric(
    "diplomacy_cards_from_different_players_or_city_states", "players and city-states whose diplomacy cards are held", TI_BOX
)
METRIC_RESOURCES = _metric("resource_and_natural_wonder_tokens", "resource and natural wonder tokens", TI_BOX)
METRIC_TILES = _metric("tiles_with_own_city", "tiles and forts with an own city", TI_BOX)
METRIC_ERA = _metric("wonders_of_one_era", "world wonders of one era", TI_BOX)
METRIC_DISTRICTS = _metric("districts_on_map", "districts on the map", TI_BOX, ti=True)
METRIC_ERAS = _metric("eras_with_a_wonder", "eras with an own world wonder", TI_BOX)
METRIC_MATURE_TILES = _metric("tiles_with_own_mature_city", "tiles and forts with a mature city", TI_BOX)
METRIC_WONDER_TYPES = _metric("wonder_types_held", "types of world wonders", TI_BOX)
METRIC_FORTS = _metric("forts_held", "forts controlled", TI_BOX, ti=True)
METRIC_TOKENS = _metric("control_tokens_on_map", "control tokens on the map")
METRIC_SPACES = _metric("friendly_spaces", "friendly spaces")
METRIC_TERRAIN = _metric("spaces_of_terrain", "friendly spaces of {kind}", by="terrain")
METRIC_WONDERS = _metric("world_wonders", "world wonders")
METRIC_DIPLOMACY = _metric("diplomacy_cards_held", "diplomacy cards held, of players and city-states")
METRIC_TRADE = _metric("trade_tokens_on_cards", "trade tokens on the own cards")
METRIC_TRADE_GAINED = _metric("trade_tokens_gained", "trade tokens gained since the game began")
METRIC_CARAVANS = _metric("caravans_on_map", "caravans on the map")
METRIC_ARRIVALS = _metric("caravans_arrived", "caravans arrived since the game began")
METRIC_CITIES_BUILT = _metric("cities_built", "cities built since the game began")
METRIC_ATTACKS_WON = _metric("attacks_won", "attacks won since the game began")
METRIC_DEFENCES_WON = _metric("attacks_beaten_off", "attacks beaten off since the game began")
METRIC_BARBARIANS = _metric("barbarians_defeated", "attacks on barbarians won since the game began")
METRIC_RIVAL_CITIES = _metric("rival_cities_defeated", "attacks on rival cities and capitals won since the game began")
METRIC_CARDS_FROM_LEVEL = _metric("focus_cards_from_level", "focus cards of level {kind} or more in the row", by="level")
METRIC_CLAIMS = _metric("victory_cards_claimed", "victory cards claimed", point="victory_cards")
METRICS = tuple(METRIC)
# What victory points are given for, by the words of `scores.points`.
POINTS = {metric.point: code for code, metric in enumerate(METRIC.values()) if metric.point and code != METRIC_NONE}
TI_POINTS = tuple(word for word, code in POINTS.items() if METRIC[METRICS[code]].ti)
# By box: bits of the metrics that no printed agenda of the box counts.
BEYOND_PRINT = tuple(
    sum(1 << code for code, metric in enumerate(METRIC.values()) if metric.printed is None or metric.printed > box)
    for box in (BASE_BOX, TI_BOX)
)

# Icons of the event dial, as bits of a section.
EVENT_ICONS = ("barbarians_appear", "barbarians_move", "trade", "districts", "government", "wonder")
ICON_BARBARIANS_APPEAR, ICON_BARBARIANS_MOVE, ICON_TRADE, ICON_DISTRICTS, ICON_GOVERNMENT, ICON_WONDER = 1, 2, 4, 8, 16, 32

# How players with enough victory cards are ranked, or all players at a round limit; code 0: no further ranking.
RANKINGS = (
    "none", "most_claimed_cards", "most_world_wonders", "most_friendly_spaces", "most_cities", "most_trade_tokens",
    "furthest_on_technology_dial", "first_in_turn_order", "last_in_turn_order",
)  # fmt: skip
(
    RANK_NONE, RANK_CLAIMS, RANK_WONDERS, RANK_SPACES, RANK_CITIES, RANK_TRADE, RANK_DIAL, RANK_FIRST, RANK_LAST,
) = range(len(RANKINGS))  # fmt: skip

# Partners at a table of four; the code is the bit in which their seats differ.
PARTNERS = ("none", "beside", "opposite")
NO_PARTNERS, BESIDE, OPPOSITE = range(3)
TEAM_PLAYERS = 4
TEAM_WINS = ("either", "together")

# What ends a game that has a winner: victory cards, victory points, the round limit.
NOT_WON, WON_BY_CARDS, WON_BY_POINTS, WON_BY_LIMIT = range(4)

# The first player of a later round: the same as before, the next one clockwise, or the one furthest behind.
FIRST_PLAYERS = ("stays", "next_clockwise", "furthest_behind")
FIRST_STAYS, FIRST_NEXT, FIRST_BEHIND = range(3)

# What house rules may give before the first turn, in the order it is given.
PLACES = ("first", "second", "third", "fourth", "fifth")  # in turn order
START_BONUSES = ("cities", "control_tokens", "wonders", "technology_levels", "trade_tokens", "resources")

# How a game ended.
ENDINGS = ("running", "victory", "round_cap")
RUNNING, VICTORY, ROUND_CAP = range(3)

# What a randomised experiment gives a seat, and whether the seat got it: not yet, yes, or it could not.
TREATMENTS = ("nothing", "wonder", "trade-token", "resource", "district", "government", "fort", "focus-card")
TREAT_NONE, TREAT_WONDER, TREAT_TRADE, TREAT_RESOURCE, TREAT_DISTRICT, TREAT_GOVERNMENT, TREAT_FORT, TREAT_CARD = range(8)
TREATED_NOT_YET, TREATED_YES, TREATED_IMPOSSIBLE = range(3)

LETTERS = "ABCDEFGHIJK"

# What is attacked, or visited; codes in engine/state.py.
TARGETS = ("barbarian", "city_state", "token", "city", "capital", "fort", "caravan", "army")
N_TARGETS = len(TARGETS)


# --- Sources of questions and tokens
#
# One line declares a source, its code and its name.
#
# The engine's `decisions` has them all, as in `decisions.SOURCE_ORACLE`; the turn log writes their names.

_WORDS = Words()
SOURCE_CULTURE = _WORDS.add("culture card")
SOURCE_STONEHENGE = _WORDS.add("Stonehenge")
SOURCE_BORDER = _WORDS.add("border tokens")
SOURCE_HANGING_GARDENS = _WORDS.add("Hanging Gardens")
SOURCE_NEW_CITY = _WORDS.add("new city tokens")
SOURCE_MASS_MEDIA = _WORDS.add("Mass Media")
SOURCE_FORBIDDEN_CITY = _WORDS.add("Forbidden City")
SOURCE_SCIENCE = _WORDS.add("science card")
SOURCE_ECONOMY = _WORDS.add("economy card")
SOURCE_ATTACK = _WORDS.add("attack")
SOURCE_DEFENCE = _WORDS.add("defence")
SOURCE_LEVEL = _WORDS.add("level space")
SOURCE_PYRAMIDS = _WORDS.add("Pyramids")
SOURCE_PORCELAIN = _WORDS.add("Porcelain Tower")
SOURCE_ORACLE = _WORDS.add("Oracle")
SOURCE_AZTEC = _WORDS.add("Aztec")
SOURCE_EVENT = _WORDS.add("event")
SOURCE_ARRIVAL = _WORDS.add("arrival")
SOURCE_VICTORY = _WORDS.add("victory")
SOURCE_BANK = _WORDS.add("Great Zimbabwe")
SOURCE_LOOT = _WORDS.add("loot")
SOURCE_FIRST = _WORDS.add("first")
SOURCE_EMBASSY = _WORDS.add("Embassy")
SOURCE_SUMERIA = _WORDS.add("Sumeria")
SOURCE_REPLACEABLE = _WORDS.add("Replaceable Parts")
SOURCE_CAPITAL = _WORDS.add("captured capital")
SOURCE_POTALA = _WORDS.add("Potala Palace")
SOURCE_DRAMA = _WORDS.add("Drama and Poetry")
SOURCE_STRIKE = _WORDS.add("Nuclear Power")
SOURCE_STEAM = _WORDS.add("Steam Power")
SOURCE_AMERICA = _WORDS.add("America")
SOURCE_BARBARIAN = _WORDS.add("barbarian")
SOURCE_CONQUEST = _WORDS.add("conquest")
SOURCE_WONDER = _WORDS.add("wonder")
SOURCE_EIFFEL = _WORDS.add("Eiffel Tower")
SOURCE_ABILITY = _WORDS.add("ability")
SOURCE_START = _WORDS.add("start bonus")
SOURCE_GROWTH = _WORDS.add("growth card")
SOURCE_DISTRICT_TOKEN = _WORDS.add("token by a district")
SOURCE_THEATER = _WORDS.add("Theater Square")
SOURCE_DISTRICT = _WORDS.add("district")
SOURCE_MASS_PRODUCTION = _WORDS.add("Mass Production")
SOURCE_SCORCHED_EARTH = _WORDS.add("Scorched Earth")
SOURCE_GREAT_LIBRARY = _WORDS.add("Great Library")
SOURCE_CRISTO = _WORDS.add("Cristo Redentor")
SOURCE_RADIO = _WORDS.add("Radio")
SOURCE_LIBERTY = _WORDS.add("Statue of Liberty")
SOURCE_APADANA = _WORDS.add("Apadana")
SOURCE_AMUNDSEN = _WORDS.add("Amundsen-Scott Research Station")
SOURCE_KILWA = _WORDS.add("Kilwa Kisiwani")
SOURCE_MOUNTAIN = _WORDS.add("token on a mountain")
SOURCE_UNIQUE = _WORDS.add("unique card")
SOURCE_ZULU = _WORDS.add("Zulu")
SOURCE_IBRAHIM = _WORDS.add("Ibrahim")
SOURCE_POLAND = _WORDS.add("Poland")
SOURCE_DRAFT = _WORDS.add("wonder draft")
SOURCES = tuple(_WORDS)


# --- Sizes of the compiled records
#
# Room for the base game and for Terra Incognita (five players, six slots).

MAX_PLAYERS = 5
MAX_SLOTS = 6
MAX_SPACES = 256
PRINTED_TILES = 21
MAX_TILES = 30  # own ones included
FORT_TILE = MAX_TILES + 1  # forts are tiles of their own (T3.4): this code plus the seat whose fort it was
TILE_SPACES = 10
MAX_RING = 24  # spaces around a tile
MAX_CITIES = 12  # of a player, the capital and city-states that count as own included
MAX_CITY_PIECES = 7  # without the capital
MAX_DEALT = 4  # leaders dealt to one player
MAX_BANS = 4  # leaders that one player bans
MAX_CARAVANS = 5
MAX_ARMIES = 4
MAX_BARBARIANS = 11
MAX_LEADERS = 32
MAX_OWN_CARDS = 16  # focus cards that house rules add to the printed ones
MAX_CARDS = 72  # focus cards of a player: the standard ones, one for each leader, own ones
MAX_WONDERS = 48
MAX_CITY_STATES = 16
MAX_NATURAL_WONDERS = 16
MAX_DIPLOMACY = 8
MAX_VICTORY_CARDS = 16
MAX_NAME = 48  # bytes of a name
MAX_IN_PLAY = 5
MAX_DIAL = 64
MAX_DIE_SIDES = 20
MAX_DICE = 2  # each side rolls in combat
MAX_LEAD = MAX_DICE * MAX_DIE_SIDES  # lead before the dice with which a side can still lose a combat
MAX_RANKINGS = 3  # by which a tie is broken, one after the other
MAX_SCORE = 32_000  # victory points are counted up to this
MAX_START_BONUS = 5  # things of a kind that a house rule gives before the first turn
MAX_SECTIONS = 12
MAX_LAYOUT_TILES = 21
WEIGHTS = 224  # opinions of a strategy (strategies/planning/weights.py)
MEMO = 512  # numbers a strategy may keep in the workspace within a turn
DECK_SIZE = 12  # world wonders of a type
MAX_ABILITIES = 320  # abilities of a ruleset
MAX_FUNCTIONS = 16  # of users, that a ruleset calls at moments
MAX_FUNCTION_TEXT = 160  # bytes of module:name#digest
MAX_LISTED = 60  # abilities of one player that wait for a moment or depend on the situation
MAX_REPEATED = 5  # slot numbers from which a card may be repeated
MAX_TO_DO = 64  # deeds of abilities that wait for the end of a card
MAX_LOST = 128  # pieces lost by players whose abilities wait for that, until the end of a card

# Side of the square look-up grid of axial coordinates; the origin lies in its middle.
GRID = 128
GRID_ORIGIN = GRID // 2

# Real plays (simulator/plays): each for itself, in teams, won by everybody; what dates and wins of several may mean.
SINGLE, TEAMS, TOGETHER = PLAY_KINDS = ("single", "teams", "together")
DAY_FIRST, MONTH_FIRST = DATE_ORDERS = ("day-first", "month-first")
IN_PARTS, BY_TEAMS, LEFT_OUT = SHARED_WINS = ("ties", "teams", "leave")
