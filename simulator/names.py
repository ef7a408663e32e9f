"""Codes of the game's own words, in one place: what the compiled engine numbers, these tuples name.

The position in a tuple is the code. Rules data (YAML) uses the words, the engine the codes, and the
tables written for users the words again.
"""

from __future__ import annotations

TERRAINS = ("grassland", "hills", "forest", "desert", "mountain", "water", "natural_wonder", "fort")
N_TERRAINS = len(TERRAINS)
GRASSLAND, HILLS, FOREST, DESERT, MOUNTAIN, WATER, NATURAL_WONDER, FORT = range(8)

RESOURCES = ("marble", "mercury", "oil", "diamond")
N_RESOURCES = len(RESOURCES)

FOCUS_TYPES = ("culture", "science", "economy", "industry", "military", "growth")
CULTURE, SCIENCE, ECONOMY, INDUSTRY, MILITARY, GROWTH = range(6)
N_TYPES = len(FOCUS_TYPES)
N_LEVELS = 4
# A standard focus card's code is type * N_LEVELS + level - 1, that of a leader's unique card N_CARDS + the leader's code: ask
# RULES (`card_type`, `card_level`) for the type and level of a card.
N_CARDS = N_TYPES * N_LEVELS

ERAS = ("ancient", "medieval", "modern")
N_ERAS = len(ERAS)

# The boxes a game is played with: the base game, or with the expansion.
BOXES = ("base", "terra-incognita")
BASE_BOX, TI_BOX = range(2)
MOST_PLAYERS = dict(zip(BOXES, (4, 5), strict=True))

# Districts (T4), each with the code of the focus type whose card or effect it is about.
DISTRICTS = ("Theater Square", "Campus", "Commercial Hub", "Industrial Zone", "Encampment")
THEATER_SQUARE, CAMPUS, COMMERCIAL_HUB, INDUSTRIAL_ZONE, ENCAMPMENT = range(5)
N_DISTRICTS = len(DISTRICTS)
# Governments (T8), each with the code of the focus type of its card.
GOVERNMENTS = ("Republic", "Democracy", "Oligarchy", "Communism", "Autocracy", "Monarchy")

# What stands on a space for a player. A token is a control token.
PIECES = ("none", "token", "reinforced_token", "city", "capital")
NO_PIECE, TOKEN, REINFORCED, CITY, CAPITAL = range(5)

# Each leader, wonder, city-state and diplomacy card has an effect of its own in the engine, so each has a
# fixed code; numbers inside the effect come from the rules data.
LEADERS = ("America", "Aztec", "Egypt", "France", "Japan", "Rome", "Scythia", "Sumeria")
AMERICA, AZTEC, EGYPT, FRANCE, JAPAN, ROME, SCYTHIA, SUMERIA = range(8)

# What the expansion adds: there these have the codes after the base game's.
TI_LEADERS = ("China", "England", "Georgia", "Inca", "Indonesia", "Netherlands", "Nubia", "Ottoman", "Poland", "Zulu")

# How a player chooses among several leaders dealt.
LEADER_CHOICES = ("random", "ranking")
CHOICE_RANDOM, CHOICE_RANKING = range(2)

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

# What an agenda counts (`condition.metric` in victory_cards.yaml).
METRICS = (
    "none", "cities_on_map_with_capital", "wonders_of_type", "rival_capitals_defeated",
    "conquered_city_states_held", "controlled_spaces_next_to_water_or_map_edge", "mature_cities",
    "natural_wonders_held", "tech_dial_space_reached",
    # --- in Terra Incognita only
    "focus_cards_of_level_in_row", "reinforced_control_tokens", "combat_total_of_a_won_attack",
    "diplomacy_cards_from_different_players_or_city_states", "resource_and_natural_wonder_tokens", "tiles_with_own_city",
    "wonders_of_one_era", "districts_on_map", "eras_with_a_wonder", "tiles_with_own_mature_city", "wonder_types_held",
    "forts_held",
    # --- in house rules only
    "control_tokens_on_map", "friendly_spaces", "spaces_of_terrain", "world_wonders", "diplomacy_cards_held",
    "trade_tokens_on_cards", "trade_tokens_gained", "caravans_on_map", "caravans_arrived", "cities_built", "attacks_won",
    "attacks_beaten_off", "barbarians_defeated", "rival_cities_defeated", "focus_cards_from_level",
)  # fmt: skip
(
    METRIC_NONE, METRIC_CITIES, METRIC_WONDERS_OF_TYPE, METRIC_CAPITALS_DEFEATED,
    METRIC_CITY_STATES, METRIC_COAST, METRIC_MATURE_CITIES,
    METRIC_NATURAL_WONDERS, METRIC_DIAL,
    METRIC_CARDS_OF_LEVEL, METRIC_REINFORCED, METRIC_BEST_ATTACK, METRIC_GIVERS, METRIC_RESOURCES, METRIC_TILES, METRIC_ERA,
    METRIC_DISTRICTS, METRIC_ERAS, METRIC_MATURE_TILES, METRIC_WONDER_TYPES, METRIC_FORTS,
    METRIC_TOKENS, METRIC_SPACES, METRIC_TERRAIN, METRIC_WONDERS, METRIC_DIPLOMACY,
    METRIC_TRADE, METRIC_TRADE_GAINED, METRIC_CARAVANS, METRIC_ARRIVALS, METRIC_CITIES_BUILT, METRIC_ATTACKS_WON,
    METRIC_DEFENCES_WON, METRIC_BARBARIANS, METRIC_RIVAL_CITIES, METRIC_CARDS_FROM_LEVEL,
) = range(36)  # fmt: skip
# What an agenda's condition says beside its metric: a focus type, a card level, a terrain.
METRIC_TYPE = ("wonders_of_type",)
METRIC_LEVEL = ("focus_cards_of_level_in_row", "focus_cards_from_level")
METRIC_LAND = ("spaces_of_terrain",)

# Icons of the event dial, as bits of a section.
EVENT_ICONS = ("barbarians_appear", "barbarians_move", "trade", "districts", "government", "wonder")
ICON_BARBARIANS_APPEAR, ICON_BARBARIANS_MOVE, ICON_TRADE, ICON_DISTRICTS, ICON_GOVERNMENT, ICON_WONDER = 1, 2, 4, 8, 16, 32

# How players are ranked who have enough victory cards, or who are left at a round limit; code 0: no further ranking.
RANKINGS = ("none", "most_claimed_cards", "most_world_wonders", "most_friendly_spaces")
RANK_NONE, RANK_CLAIMS, RANK_WONDERS, RANK_SPACES = range(4)

# What house rules may give before the first turn, in the order it is given.
START_BONUSES = ("cities", "control_tokens", "wonders", "technology_levels", "trade_tokens", "resources")

# How a game ended.
ENDINGS = ("running", "victory", "round_cap")
RUNNING, VICTORY, ROUND_CAP = range(3)

# What a randomised experiment gives a seat, and what came of it: its round was not reached, the seat got it, or could not.
TREATMENTS = ("nothing", "wonder", "trade-token", "resource", "district", "government", "fort")
TREAT_NONE, TREAT_WONDER, TREAT_TRADE, TREAT_RESOURCE, TREAT_DISTRICT, TREAT_GOVERNMENT, TREAT_FORT = range(7)
TREATED_NOT_YET, TREATED_YES, TREATED_IMPOSSIBLE = range(3)

LETTERS = "ABCDEFGHIJK"

# What is attacked, or visited; codes in engine/core/state.py.
TARGETS = ("barbarian", "city_state", "token", "city", "capital", "fort", "caravan", "army")
N_TARGETS = len(TARGETS)

# By what a question is asked or a token gained; codes in engine/core/decisions.py.
SOURCES = (
    "culture card", "Stonehenge", "border tokens", "Hanging Gardens", "new city tokens", "Mass Media",
    "Forbidden City", "science card", "economy card", "attack", "defence", "level space", "Pyramids",
    "Porcelain Tower", "Oracle", "Aztec", "event", "arrival", "victory", "Great Zimbabwe", "loot", "first",
    "Embassy", "Sumeria", "Replaceable Parts", "captured capital", "Potala Palace", "Drama and Poetry",
    "Nuclear Power", "Steam Power", "America", "barbarian", "conquest", "wonder", "Eiffel Tower", "ability",
    "start bonus", "growth card", "token by a district", "Theater Square", "district", "Mass Production", "Scorched Earth",
    "Great Library", "Cristo Redentor", "Radio", "Statue of Liberty", "Apadana", "Amundsen-Scott Research Station",
    "Kilwa Kisiwani", "token on a mountain", "unique card", "Zulu", "Ibrahim", "Poland",
)  # fmt: skip
